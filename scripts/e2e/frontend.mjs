// The two front ends that the set-up may have installed, behind one interface:
//   url(name)      the address path and query of a notebook
//   ready(page)    waits until the notebook's kernel can be used
//   runAll(page)   starts all cells through the menu, after clearing their outputs
//   stop(page)     presses the Stop button
//   save(page)     saves the notebook
//   selectors      code (a code cell), prompt (a cell's execution number, '*' while it runs), output (a cell's outputs)

const classic = {
  url: (name) => `/notebooks/${name}?`,
  selectors: { code: '.code_cell', prompt: '.input_prompt', output: '.output_area' },
  async ready(page) {
    await page.waitForSelector('.kernel_idle_icon', { state: 'attached', timeout: 60_000 });
  },
  async runAll(page) {
    await page.click('#celllink');
    await page.hover('#all_outputs');
    await page.click('#clear_all_output');
    await page.click('#celllink');
    await page.click('#run_all_cells');
  },
  async stop(page) {
    await page.click('button[data-jupyter-action="jupyter-notebook:interrupt-kernel"]');
  },
  async save(page) {
    await page.click('button[data-jupyter-action="jupyter-notebook:save-notebook"]');
    await page.waitForFunction(() => !window.Jupyter.notebook.dirty);
  },
};

const lab = {
  url: (name) => `/lab/tree/${name}?reset&`, // without the tabs of earlier visits
  selectors: { code: '.jp-CodeCell', prompt: '.jp-InputPrompt', output: '.jp-OutputArea-output' },
  async ready(page) {
    await page.waitForSelector('#jp-main-statusbar :text-matches("gonb.*Idle")', { timeout: 60_000 });
  },
  async menu(page, name, entry) {
    await page.click(`.lm-MenuBar-itemLabel:text-is("${name}")`);
    await page.click(`.lm-Menu-itemLabel:text-is("${entry}")`);
  },
  async runAll(page) {
    await this.menu(page, 'Edit', 'Clear Outputs of All Cells');
    await this.menu(page, 'Run', 'Run All Cells');
  },
  async stop(page) {
    await page.click('[data-command="notebook:interrupt-kernel"], jp-button[title^="Interrupt"], button[title^="Interrupt"]');
  },
  async save(page) {
    await page.keyboard.press('Control+s');
    await page.waitForSelector('#jp-main-dock-panel .lm-TabBar-tab.lm-mod-current:not(.jp-mod-dirty)');
  },
};

export function frontend(name) {
  return name === 'lab' ? lab : classic;
}
