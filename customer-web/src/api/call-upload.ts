import { REQUEST_TIMEOUT_MS } from '@/constants'
import { storage } from '@/storage/storage'
import { call, type Wire } from './client'
import { requestHeaders } from './request-headers'

export type Upload = {
  path: string
  file: File
  headers: Record<string, string>
  /** The share uploaded so far, 0 to 1. */
  onProgress: (share: number) => void
  signal: AbortSignal
}

type Envelope = Wire['Envelope']

/** Uploads a file and unwraps the response. It uses XMLHttpRequest because fetch reports no upload progress. */
export function callUpload<T>({ path, file, headers, onProgress, signal }: Upload): Promise<T> {
  const sent = { ...requestHeaders(), ...headers }
  return call<T>(
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open('POST', path)
      request.timeout = REQUEST_TIMEOUT_MS
      for (const [name, value] of Object.entries(sent)) request.setRequestHeader(name, value)
      request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
      request.onload = () => {
        const response = new Response(null, { status: request.status })
        const said = parsed(request.responseText)
        // A response to a token that has been replaced says nothing about the current session.
        if (sent.apptoken !== (storage.read('token') ?? '')) reject(new Error('another session'))
        else resolve(response.ok && said ? { data: said, response } : { error: said, response })
      }
      const fail = () => reject(new Error('no answer'))
      request.onerror = fail
      request.ontimeout = fail
      request.onabort = fail
      signal.addEventListener('abort', () => request.abort())
      const form = new FormData()
      form.append('file', file, file.name)
      request.send(form)
    }),
  )
}

function parsed(text: string): (Envelope & { data?: never }) | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
