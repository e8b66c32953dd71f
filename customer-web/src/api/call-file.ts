import { CallFailure, call } from './client'

/** A list as a CSV file; `cutAt` is how many rows it holds where it leaves others out. */
export type TableFile = { file: Blob; cutAt: number | null }

/** Unwraps an answer that is a list as a file. */
export async function callFile(pending: Promise<FileAnswer>): Promise<TableFile> {
  const { file, response } = await unwrap(pending, 'text/csv')
  const cut = response.headers.get('cut-at')
  return { file, cutAt: cut === null ? null : Number(cut) }
}

/** Unwraps an answer that is a picture. */
export async function callPicture(pending: Promise<FileAnswer>): Promise<Blob> {
  return (await unwrap(pending, 'image/')).file
}

/** A file is asked for with `parseAs: 'blob'`, for a refusal is JSON all the same. */
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
