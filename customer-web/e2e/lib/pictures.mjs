// Pictures for the eye, where a folder for them is named: SHOTS=folder.
import { join } from 'node:path'

/** Takes a page as it is now, light and dark. */
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
