/** Downloads a file; its object URL can't be opened by others. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // Some browsers read the URL a moment after the press.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
