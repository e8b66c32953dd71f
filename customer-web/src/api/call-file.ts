import { CallFailure, call } from './client'

/** A list as a CSV file; `cutAt` is how many rows it holds where it leaves others out. */
export type TableFile = { file: Blob; cutAt: number | null }

/** Unwraps an answer that is a file: asked for with `parseAs: 'blob'`, for a refusal is JSON all the same. */
export async function callFile(pending: Promise<FileAnswer>): Promise<TableFile> {
  const { data, error, response } = await pending.catch(() => {
    throw new CallFailure(0)
  })
  if (data && response.headers.get('content-type')?.startsWith('text/csv')) {
    const cut = response.headers.get('cut-at')
    return { file: data, cutAt: cut === null ? null : Number(cut) }
  }
  return call<never>(
    Promise.resolve({ error: data ? JSON.parse(await data.text()) : error, response }),
  )
}

type FileAnswer = { data?: Blob; error?: unknown; response: Response }
