import { beforeEach, expect, test, vi } from 'vitest'
import { storage } from '@/storage/storage'
import { callUpload } from './call-upload'

/** A fake of the browser's XMLHttpRequest; the test sends the response. */
class FakeRequest {
  static last: FakeRequest
  headers: Record<string, string> = {}
  upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {}
  status = 0
  responseText = ''
  sent: FormData | null = null
  onload = () => {}
  onerror = () => {}
  onabort = () => {}
  constructor() {
    FakeRequest.last = this
  }
  open() {}
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value
  }
  send(form: FormData) {
    this.sent = form
  }
  abort() {
    this.onabort()
  }
  answer(status: number, text: string) {
    this.status = status
    this.responseText = text
    this.onload()
  }
}

const file = new File(['x'], 'a.png', { type: 'image/png' })
const shares: number[] = []
let control: AbortController

function begin() {
  const answer = callUpload<{ file: string }>({
    path: '/kefu/kefuApi/upload',
    file,
    headers: { visitor: 'v' },
    onProgress: (share) => shares.push(share),
    signal: control.signal,
  })
  return { answer, request: FakeRequest.last }
}

beforeEach(() => {
  vi.stubGlobal('XMLHttpRequest', FakeRequest)
  shares.length = 0
  control = new AbortController()
})

test('an upload tells how far it is, and gives the answer', async () => {
  storage.write('token', 'tok')
  const { answer, request } = begin()
  request.upload.onprogress?.({ loaded: 1, total: 4 })
  request.upload.onprogress?.({ loaded: 4, total: 4 })
  request.answer(200, '{"status":1,"code":"ok","data":{"file":"f.jpg"}}')
  expect(await answer).toEqual({ file: 'f.jpg' })
  expect(shares).toEqual([0.25, 1])
  expect(request.headers).toMatchObject({ visitor: 'v', apptoken: 'tok' })
  expect(request.sent?.get('file')).toMatchObject({ name: 'a.png' })
})

test('a refusal keeps its code', async () => {
  const { answer, request } = begin()
  request.answer(200, '{"status":0,"code":"chat.too_often"}')
  await expect(answer).rejects.toMatchObject({ code: 'chat.too_often', httpStatus: 200 })
})

test.each([
  [413, '<html>', 413],
  [502, '', 502],
])('an answer of %i that is none of ours keeps its status', async (status, text, httpStatus) => {
  const { answer, request } = begin()
  request.answer(status, text)
  await expect(answer).rejects.toMatchObject({ httpStatus })
})

test('what is cancelled got no answer', async () => {
  const { answer } = begin()
  control.abort()
  await expect(answer).rejects.toMatchObject({ httpStatus: 0 })
})

test('an answer to a session that is over says nothing of the present one', async () => {
  storage.write('token', 'old')
  const { answer, request } = begin()
  storage.write('token', 'new')
  request.answer(401, '{"status":0,"code":"token_invalid"}')
  await expect(answer).rejects.toMatchObject({ httpStatus: 0 })
})
