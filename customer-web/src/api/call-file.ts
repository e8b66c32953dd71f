import { CallFailure, call } from './client'

/** A list exported as a CSV file. `cutAt` is the number of rows in the file when it was truncated, else null. */
export type TableFile = { file: Blob; cutAt: number | null }

/** Unwraps a response that carries a list as a file. */
export async function callFile(pending: Promise<FileAnswer>): Promise<TableFile> {
  const { file, response } = await unwrap(pending, 'text/csv')
  const cut = response.headers.get('cut-at')
  return { file, cutAt: cut === null ? null : Number(cut) }
}

/** Unwraps a response that carries a picture. */
export function callPicture(pending: Promise<FileAnswer>): Promise<Blob> {
  return callBlob(pending, 'image/')
}

/** Unwraps a response that carries a file whose media type begins with `type`. */
export async function callBlob(pending: Promise<FileAnswer>, type: string): Promise<Blob> {
  return (await unwrap(pending, type)).file
}

/** Callers request the file with `parseAs: 'blob'`; a refusal is still JSON. */
async function unwrap(pending: Promise<FileAnswer>, type: string) {
  const { data, error, response } = await pending.catch(() => {
    throw new CallFailure(0)
  })
  if (data && response.headers.get('content-type')?.startsWith(type))
    return { file: data, response }
  return call<never>(
    Promise.resolve({ error: data ? JSON.parse(await data.text()) : error, response }),
  )
}

type FileAnswer = { data?: Blob; error?: unknown; response: Response }
