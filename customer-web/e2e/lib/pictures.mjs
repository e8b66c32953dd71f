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

/** Captures a page of the back office in Chinese too, unless a dialog is open, which a reload would close. */
export async function inChinese(page, name) {
  if (!process.env.SHOTS || (await page.getByRole('dialog').count())) return
  const speak = (language) =>
    page.evaluate(
      (code) =>
        fetch('/admin/language', {
          method: 'POST',
          body: new URLSearchParams({ language: code }),
        }).then(() => undefined),
      language,
    )
  await speak('zh_CN')
  await page.reload()
  await picture(page, `${name}-zh`)
  await speak('en')
  await page.reload()
}
