// Screenshots for review, when a folder is set: SHOTS=folder.
import { join } from 'node:path'

/** Captures a page in its current state, light and dark. */
export async function picture(page, name) {
  if (!process.env.SHOTS) return
  const width = page.viewportSize().width
  for (const theme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme: theme })
    await page.evaluate((mode) => {
      document.documentElement.dataset.theme = mode
    }, theme)
    await page.waitForTimeout(200)
    await page.screenshot({ path: join(process.env.SHOTS, `${width}-${name}-${theme}.png`) })
  }
}
