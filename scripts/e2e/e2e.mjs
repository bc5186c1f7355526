// usage: node e2e.mjs lab|notebook ADDRESS TOKEN NOTEBOOKS SCREENSHOTS MAKEPAGES
//
// Drives Jupyter at ADDRESS, which serves the folder NOTEBOOKS, in Chromium (its command is in CHROMIUM), as a user would:
// opens the saved notebooks and looks for their pictures, runs 00_start_here, saves and reopens it, moves a scrubber, moves a
// slider, stops a running cell. Then has the command MAKEPAGES OUT NOTEBOOK... make pages of the notebooks and reads them without
// a network, on a wide screen and on a small one, moves their scrubbers, with scripts and without, and looks for raw TeX. Ends with
// status 1 at the first thing that is not as it should be.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { frontend } from './frontend.mjs';

const [kind, address, token, folder, screenshots, makePages] = process.argv.slice(2);
const front = frontend(kind);
const firstPictureSeconds = 30;

let passed = 0;
function expect(condition, text) {
  if (!condition) throw new Error(`not so: ${text}`);
  passed++;
  console.log(`ok: ${text}`);
}

// savedPictures counts the pictures that a notebook file holds.
function savedPictures(name) {
  const { cells } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
  return cells.flatMap((cell) => cell.outputs ?? []).filter((output) => output.data?.['image/png']).length;
}

// shownPictures counts the pictures that the browser has drawn in outputs.
async function shownPictures(page) {
  return page.$$eval(`${front.selectors.output} img`, (images) =>
    new Set(images.filter((image) => image.complete && image.naturalWidth > 1)).size);
}

async function waitForPictures(page, atLeast, seconds) {
  const end = Date.now() + seconds * 1000;
  while (Date.now() < end && (await shownPictures(page)) < atLeast) await page.waitForTimeout(200);
  return shownPictures(page);
}

// waitUntilRun waits until no cell is running or waiting, and the last code cell has run.
async function waitUntilRun(page, seconds) {
  await page.waitForFunction(({ code, prompt }) => {
    const prompts = [...document.querySelectorAll(code)].map((cell) => cell.querySelector(prompt)?.textContent ?? '');
    return prompts.length > 0 && prompts.every((text) => !text.includes('*')) && /\d/.test(prompts.at(-1));
  }, front.selectors, { timeout: seconds * 1000 });
}

async function open(browser, name) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 1600 } });
  await page.goto(`${address}${front.url(name)}token=${token}`);
  await page.waitForSelector(front.selectors.code);
  return page;
}

async function close(page, name) {
  await page.screenshot({ path: join(screenshots, `${name}.png`) });
  await page.close({ runBeforeUnload: false });
}

async function opensSaved(browser, name) {
  const page = await open(browser, name);
  const want = savedPictures(name);
  expect((await waitForPictures(page, want, 20)) >= want, `${name} shows its ${want} saved pictures without being run`);
  // Nobody has said yet that the notebook is to be trusted, so that its scripts and styles are dropped.
  const dead = page.locator(`${front.selectors.output} input:visible`);
  expect((await dead.count()) === 0, `${name} shows no control that does nothing`);
  await close(page, `saved-${name}`);
}

async function runsAndReopens(browser, name) {
  const start = Date.now();
  const want = savedPictures(name);
  let page = await open(browser, name);
  await front.ready(page);
  await front.runAll(page);
  await page.waitForFunction((output) => !document.querySelector(`${output} img`), front.selectors.output);
  await waitForPictures(page, 1, 2 * firstPictureSeconds);
  const seconds = (Date.now() - start) / 1000;
  expect(seconds < firstPictureSeconds, `${name} shows its first picture ${seconds.toFixed(1)} s after it was opened`);
  await waitUntilRun(page, 180);
  expect((await waitForPictures(page, want, 10)) >= want, `${name}, run in the browser, shows ${want} pictures`);
  await front.save(page);
  await close(page, `run-${name}`);
  expect(savedPictures(name) >= want, `${name}, saved, holds ${want} pictures`);
  page = await open(browser, name);
  expect((await waitForPictures(page, want, 20)) >= want, `${name}, reopened, shows ${want} pictures`);
  await close(page, `reopened-${name}`);
}

// shown returns what a scrubber shows: its picture, what is said of it, and where it stands.
async function shown(scrubber) {
  const image = scrubber.locator('img');
  return { picture: await image.getAttribute('src'), words: await image.getAttribute('alt'), at: await scrubber.locator('output').textContent() };
}

// movesScrubber moves a scrubber by keys and by the mouse.
async function movesScrubber(page, scrubber, name) {
  const range = scrubber.locator('input[type=range]');
  await range.scrollIntoViewIfNeeded();
  const positions = Number(await range.getAttribute('max')) + 1;
  const first = await shown(scrubber);
  await range.focus();
  await page.keyboard.press('ArrowRight');
  const second = await shown(scrubber);
  expect(['picture', 'words', 'at'].every((key) => first[key] !== second[key]), `${name}: an arrow key moves the scrubber from "${first.at}" to "${second.at}"`);
  await page.keyboard.press('ArrowLeft');
  expect(JSON.stringify(await shown(scrubber)) === JSON.stringify(first), `${name}: the other arrow key moves it back`);
  await page.keyboard.press('End');
  const last = await shown(scrubber);
  expect(last.words.endsWith(`(picture ${positions} of ${positions})`) && last.picture !== first.picture, `${name}: End moves it to "${last.at}"`);
  const { x, y, width, height } = await range.boundingBox();
  await page.mouse.move(x + width - 3, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + 3, y + height / 2, { steps: 5 });
  await page.mouse.up();
  const dragged = await shown(scrubber);
  expect(dragged.words.endsWith(`(picture 1 of ${positions})`) && dragged.picture !== last.picture, `${name}: the mouse moves it to "${dragged.at}"`);
  const drawn = await scrubber.locator('img').evaluate(async (image) => { await image.decode(); return image.naturalWidth > 1; });
  expect(drawn, `${name}: the scrubber's picture is drawn`);
}

// slidesAndStops runs a notebook up to its first slider, moves that, and stops the cell that listens to it. A scrubber is moved
// while the kernel is busy with that.
async function slidesAndStops(browser, name, seconds) {
  const page = await open(browser, name);
  await front.ready(page);
  await front.runAll(page);
  const slider = page.locator(`${front.selectors.output} input[type=range]:not(.crank-scrubber input)`).first();
  await slider.waitFor({ timeout: seconds * 1000 });
  const cell = page.locator(front.selectors.code).filter({ has: slider });
  const picture = cell.locator('img').first();
  await picture.waitFor({ timeout: 30_000 });
  const before = await picture.getAttribute('src');
  // The slider is drawn a moment before the program listens to it, so it is dragged until something happens.
  await slider.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await slider.boundingBox();
  for (let i = 1; i <= 30 && (await picture.getAttribute('src')) === before; i++) {
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width * (i % 2 ? 0.9 : 0.1), y + height / 2, { steps: 3 });
    await page.mouse.up();
    await page.waitForTimeout(1000);
  }
  expect((await picture.getAttribute('src')) !== before, `${name}: moving the slider redraws the picture`);
  const prompt = cell.locator(front.selectors.prompt).first();
  expect((await prompt.textContent()).includes('*'), `${name}: the cell with the slider is running`);
  await page.screenshot({ path: join(screenshots, `slider-${name}.png`) });
  const scrubber = page.locator(`${front.selectors.output} .crank-scrubber`).first();
  if (await scrubber.count()) {
    await movesScrubber(page, scrubber, name);
    await page.screenshot({ path: join(screenshots, `scrubber-${name}.png`) });
  }
  await front.stop(page);
  await page.waitForFunction(({ code, prompt }) =>
    [...document.querySelectorAll(`${code} ${prompt}`)].every((p) => !p.textContent.includes('*')), front.selectors, { timeout: 20_000 });
  expect(true, `${name}: Stop stops the running cell`);
  await front.save(page);
  await close(page, `stopped-${name}`);
}

// hasSlider tells whether a notebook makes a slider, in whatever words its library offers.
function hasSlider(name) {
  const { cells } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
  return cells.some((cell) => cell.metadata.tags?.includes('skip-execution') && /Slider/.test([].concat(cell.source).join('')));
}

// readsPage reads an exported page without a network.
async function readsPage(browser, path, name, width) {
  const context = await browser.newContext({ offline: true, viewport: { width, height: 1200 } });
  const page = await context.newPage();
  const asked = [], failed = [];
  page.on('request', (request) => { if (!/^(file|data|blob):/.test(request.url())) asked.push(request.url()); });
  page.on('pageerror', (error) => failed.push(error.message));
  await page.goto(pathToFileURL(path).href);
  await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode())));
  expect(asked.length + failed.length === 0, `${name} at ${width} pixels loads nothing from elsewhere and fails nowhere ${asked}${failed}`);
  const { raw, formulas, flat, mute, wide } = await page.evaluate(() => {
    const copy = document.body.cloneNode(true);
    copy.querySelectorAll('script, style, pre, code, math').forEach((node) => node.remove());
    return {
      raw: copy.textContent.match(/\\[a-z]{2,}.{0,40}|\$[^$\n]{1,99}\$|crankformula/i)?.[0] ?? '',
      formulas: document.querySelectorAll('math').length,
      flat: [...document.querySelectorAll('math')].filter((math) => math.getBoundingClientRect().height < 5).length,
      mute: [...document.images].filter((image) => !image.alt.trim()).length,
      wide: document.documentElement.scrollWidth,
    };
  });
  expect(raw === '' && flat === 0, `${name} at ${width} pixels shows ${formulas} formulas and no raw TeX ${raw}`);
  expect(mute === 0, `${name} at ${width} pixels has words for every picture`);
  expect(wide <= width, `${name} at ${width} pixels is no wider than that`);
  const scrubbers = page.locator('.crank-scrubber');
  for (let k = 0; k < (await scrubbers.count()); k++) await movesScrubber(page, scrubbers.nth(k), `${name} at ${width} pixels`);
  if (await scrubbers.count()) await scrubbers.first().scrollIntoViewIfNeeded();
  await page.screenshot({ path: join(screenshots, `page-${name}-${width}.png`) });
  await context.close();
}

// movesWithoutScripts moves the first scrubber of a page where scripts do not run.
async function movesWithoutScripts(browser, path, name) {
  const context = await browser.newContext({ offline: true, javaScriptEnabled: false, viewport: { width: 900, height: 900 } });
  const page = await context.newPage();
  await page.goto(pathToFileURL(path).href);
  const scrubber = page.locator('.crank-scrubber').first();
  const stage = scrubber.locator('.stage');
  const before = await stage.screenshot();
  await scrubber.getByRole('radio').last().check();
  expect(!before.equals(await stage.screenshot()), `${name}: without scripts, a button shows another picture`);
  await scrubber.screenshot({ path: join(screenshots, `scriptless-${name}.png`) });
  await context.close();
}

// readsPages makes pages of the notebooks as they are now, and reads them.
async function readsPages(browser, names) {
  const out = join(screenshots, '..', 'pages');
  execFileSync(makePages, [out, ...names.map((name) => join(folder, name))], { stdio: 'inherit' });
  for (const width of [400, 1400]) {
    for (const name of ['index.ipynb', ...names]) await readsPage(browser, join(out, name.replace(/ipynb$/, 'html')), name.replace(/\.ipynb$/, ''), width);
  }
  await movesWithoutScripts(browser, join(out, 'controls.html'), 'controls');
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync'],
});
try {
  const names = readdirSync(folder).filter((name) => name.endsWith('.ipynb')).sort();
  for (const name of names) await opensSaved(browser, name);
  await runsAndReopens(browser, '00_start_here.ipynb');
  for (const name of names.filter(hasSlider)) await slidesAndStops(browser, name, name === 'controls.ipynb' ? 120 : 900);
  await readsPages(browser, names);
  console.log(`${passed} passed, 0 failed`);
} catch (error) {
  for (const [i, page] of browser.contexts().flatMap((context) => context.pages()).entries()) {
    await page.screenshot({ path: join(screenshots, `failed-${i}.png`) });
  }
  console.error(error);
  process.exitCode = 1;
} finally {
  await browser.close();
}
