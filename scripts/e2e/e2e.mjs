// usage: node e2e.mjs lab|notebook ADDRESS TOKEN NOTEBOOKS SCREENSHOTS
//
// Drives Jupyter at ADDRESS, which serves the folder NOTEBOOKS, in Chromium (its command is in CHROMIUM), as a user would:
// opens the saved notebooks and looks for their pictures, runs 00_start_here, saves and reopens it, moves a slider, stops a
// running cell. Ends with status 1 at the first thing that is not as it should be.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { frontend } from './frontend.mjs';

const [kind, address, token, folder, screenshots] = process.argv.slice(2);
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

// slidesAndStops runs a notebook up to its first slider, moves that, and stops the cell that listens to it.
async function slidesAndStops(browser, name, seconds) {
  const page = await open(browser, name);
  await front.ready(page);
  await front.runAll(page);
  const slider = page.locator(`${front.selectors.output} input[type=range]`).first();
  await slider.waitFor({ timeout: seconds * 1000 });
  const cell = page.locator(front.selectors.code).filter({ has: slider });
  const picture = cell.locator('img').first();
  await picture.waitFor({ timeout: 30_000 });
  const before = await picture.getAttribute('src');
  // The slider is drawn a moment before the program listens to it, so it is dragged until something happens.
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
  await front.stop(page);
  await page.waitForFunction(({ code, prompt }) =>
    [...document.querySelectorAll(`${code} ${prompt}`)].every((p) => !p.textContent.includes('*')), front.selectors, { timeout: 20_000 });
  expect(true, `${name}: Stop stops the running cell`);
  await close(page, `stopped-${name}`);
}

// hasSlider tells whether a notebook makes a slider, in whatever words its library offers.
function hasSlider(name) {
  const { cells } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
  return cells.some((cell) => cell.metadata.tags?.includes('skip-execution') && /Slider/.test([].concat(cell.source).join('')));
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
