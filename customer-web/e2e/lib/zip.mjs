// Reads ZIP files (PKWARE's APPNOTE 6.3.10): what the trader app downloads.
import { inflateRawSync } from 'node:zlib'

const DIRECTORY_ENTRY = 0x02014b50
const DIRECTORY_END = 0x06054b50
const LOCAL_HEADER = 30

/** The files of a ZIP file as text, by name. */
export function unzip(file) {
  let at = file.readUInt32LE(endOf(file) + 16)
  const files = {}
  while (file.readUInt32LE(at) === DIRECTORY_ENTRY) {
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) =>
      file.readUInt16LE(at + offset),
    )
    const name = file.toString('utf8', at + 46, at + 46 + nameLength)
    files[name] = content(file, at)
    at += 46 + nameLength + extra + comment
  }
  return files
}

function content(file, at) {
  const [method, size, local] = [
    file.readUInt16LE(at + 10),
    file.readUInt32LE(at + 20),
    file.readUInt32LE(at + 42),
  ]
  const begins =
    local + LOCAL_HEADER + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28)
  const packed = file.subarray(begins, begins + size)
  return (method === 0 ? packed : inflateRawSync(packed)).toString('utf8')
}

function endOf(file) {
  for (let at = file.length - 22; at >= 0; at--)
    if (file.readUInt32LE(at) === DIRECTORY_END) return at
  throw new Error('no ZIP file')
}
