// A visitor who writes to support through the API, as the app does, with message ids.
import { createHash, randomUUID } from 'node:crypto'

export class Visitor {
  constructor(server, language = 'en', zone = undefined) {
    Object.assign(this, { server, language, zone, uuid: randomUUID() })
  }

  async call(method, path, body) {
    const localtimes = String(Date.now())
    const newsign = createHash('sha256')
      .update(`${localtimes}candor-web`)
      .digest('hex')
      .slice(0, 10)
    const answer = await fetch(`${this.server.url}/kefu/kefuApi/${path}`, {
      method,
      headers: {
        'Content-Type': 'application/json',
        language: this.language,
        visitor: this.uuid,
        localtimes,
        newsign,
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
