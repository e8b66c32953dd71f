// A visitor who writes to support through the API, as the app does, with message ids.
import { hash, randomUUID } from 'node:crypto'

/** The headers that sign a call. */
export function signature() {
  const localtimes = String(Date.now())
  return { localtimes, newsign: hash('sha256', `${localtimes}candor-web`).slice(0, 10) }
}

export class Visitor {
  constructor(server, language = 'en', zone = undefined) {
    Object.assign(this, { server, language, zone, uuid: randomUUID() })
  }

  async call(method, path, body) {
    const answer = await fetch(`${this.server.url}/kefu/kefuApi/${path}`, {
      method,
      headers: {
        'Content-Type': 'application/json',
        language: this.language,
        visitor: this.uuid,
        ...signature(),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    return answer.json()
  }

  async say(text, messageId = randomUUID()) {
    const answer = await this.call('POST', 'insertMessage', {
      messageId,
      text,
      zone: this.zone,
    })
    if (answer.status !== 1) throw new Error(`${answer.code}: ${answer.enMsg}`)
    return answer.data
  }

  async thread() {
    return (await this.call('GET', 'findMessageList')).data
  }

  /** The message texts, without events. */
  async words() {
    return (await this.thread()).list.filter((m) => m.type !== 'event').map((m) => m.body)
  }

  async read(lastId, read = true) {
    return this.call('POST', 'updateUserRead', { lastId, read })
  }
}
