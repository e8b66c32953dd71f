/** Hands a file to the browser as a download; it never has an address that anybody else could open. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // Some browsers read the address a moment after the press.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
