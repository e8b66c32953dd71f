// Runs axe on the current state of a page.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** The colour rules of these standards. */
const COLOURS = ['color-contrast', 'link-in-text-block']

/** Fails when a page has a serious or critical violation. */
export async function check(page, where) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  await judge(page, where, STANDARDS)
}

/** Fails when a page has a serious violation, or a serious colour violation in the other theme, which only the attribute of <html> selects. */
export async function checkBothThemes(page, where) {
  await check(page, where)
  const theme = await switchTheme(page)
  await judge(page, `${where}, ${theme}`, COLOURS)
}

/** Shows the page in the other theme, and returns its name. */
export function switchTheme(page) {
  return page.evaluate(() => {
    const { dataset } = document.documentElement
    dataset.theme = dataset.theme === 'dark' ? 'light' : 'dark'
    return dataset.theme
  })
}

/** Waits for running transitions. Runs in the page. */
async function faded() {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  const fading = document.getAnimations().filter((one) => one instanceof CSSTransition)
  await Promise.all(fading.map((one) => one.finished.catch(() => {})))
}

/** Fails on violations. They are checked twice: a price update may enable a button, whose colour then fades. */
async function judge(page, where, runOnly) {
  await page.evaluate(faded)
  if ((await violations(page, runOnly)).length === 0) return
  await page.evaluate(faded)
  assert.deepEqual(await violations(page, runOnly), [], where)
}

function violations(page, runOnly) {
  return page.evaluate(async (only) => {
    const result = await window.axe.run(document, {
      runOnly: only,
      resultTypes: ['violations'], // of passes, which nobody reads, it then describes one node each
    })
    return result.violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(
        ({ id, nodes }) =>
          `${id}: ${nodes
            .slice(0, 3)
            .map(({ html }) => html.slice(0, 160))
            .join(' | ')}`,
      )
  }, runOnly)
}
