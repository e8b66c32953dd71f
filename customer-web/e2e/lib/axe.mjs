// axe on a page as it is now.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** The rules of these standards that look at colours. */
const COLOURS = ['color-contrast', 'link-in-text-block']

/** Finds nothing serious on a page. */
export async function check(page, where) {
  await page.evaluate(axe)
  await judge(page, where, STANDARDS)
}

/** Finds nothing serious on a page, nor in its colours in the other theme, which the attribute of <html> alone decides. */
export async function checkBothThemes(page, where) {
  await check(page, where)
  const theme = await page.evaluate(otherTheme)
  await judge(page, `${where}, ${theme}`, COLOURS)
}

/** Changes the theme. Runs in the page. */
function otherTheme() {
  const { dataset } = document.documentElement
  dataset.theme = dataset.theme === 'dark' ? 'light' : 'dark'
  return dataset.theme
}

/** Waits until what fades has faded. Runs in the page. */
async function faded() {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  const fading = document.getAnimations().filter((one) => one instanceof CSSTransition)
  await Promise.all(fading.map((one) => one.finished.catch(() => {})))
}

/** A price may enable a button meanwhile, whose colour fades then: what is found is looked for once more. */
async function judge(page, where, runOnly) {
  await page.evaluate(faded)
  if ((await violations(page, runOnly)).length === 0) return
  await page.evaluate(faded)
  assert.deepEqual(await violations(page, runOnly), [], where)
}

function violations(page, runOnly) {
  return page.evaluate(async (only) => {
    const result = await window.axe.run(document, { runOnly: only })
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
