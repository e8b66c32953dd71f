// Traders who have submitted an identity verification, made through the API as the app makes them, without a browser.
import { hash, randomUUID } from 'node:crypto'
import { waitFor } from './server.mjs'
import { PASSWORD, picture } from './trader.mjs'
import { signature } from './visitor.mjs'

const HOME = 'DE'
const CARD_EVERY = 5
const SIDES = { passport: ['front', 'selfie'], id_card: ['front', 'back', 'selfie'] }

/**
 * Submits `count` applications, one after the other, of new traders with a passport or, every fifth, with an identity card. They cause no hint, except that the
 * last one's document is from another country than the one they live in.
 */
export async function submitApplications(server, count) {
  const all = Array.from({ length: count }, (_, n) => new Applicant(server, n))
  all.at(-1).country = 'FR'
  await Promise.all(all.map((one) => one.askCode()))
  const codes = await codesFor(server, all)
  // One after the other: the server hashes only a few passwords at a time.
  for (const one of all) await one.register(codes.get(one.email))
  // The drafts give the applications their numbers, and the submissions their order at the desk.
  for (const one of all) await one.saveDraft()
  await Promise.all(all.map((one) => one.sendPictures()))
  for (const one of all) await one.submit()
}

/** The mailed codes by address: all are read at once, because each reading of the outbox starts a program. */
function codesFor(server, people) {
  return waitFor(async () => {
    const { stdout } = await server.candor('outbox', '--json')
    const codes = new Map(
      JSON.parse(stdout).map(({ to, body }) => [to, /\b(\d{6})\b/.exec(body)?.[1]]),
    )
    return people.every(({ email }) => codes.get(email)) && codes
  })
}

class Applicant {
  constructor(server, number) {
    const documentType = number % CARD_EVERY === 2 ? 'id_card' : 'passport'
    const email = `erika${number}@trader.example`
    Object.assign(this, { server, number, email, documentType, country: HOME, token: '' })
  }

  /** Makes a call and returns its data; it throws when the call is refused. */
  async call(path, body, headers = {}) {
    const answer = await fetch(`${this.server.url}/client/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { language: 'en', apptoken: this.token, ...signature(), ...headers },
      body,
    })
    const { status, code, enMsg, data } = await answer.json()
    if (status !== 1) throw new Error(`${path} of ${this.email}: ${code} ${enMsg}`)
    return data
  }

  post(path, body, headers) {
    return this.call(path, JSON.stringify(body), { 'Content-Type': 'application/json', ...headers })
  }

  async askCode() {
    const verify = solve(await this.call('common/getVerify'))
    await this.post('user/sendRegisterValidCode', { account: this.email }, { verify })
  }

  async register(validCode) {
    const { token } = await this.post('user/register', {
      account: this.email,
      password: PASSWORD,
      validCode,
      country: HOME,
      language: 'en',
      deviceId: randomUUID(),
      accepted: true,
    })
    this.token = token
  }

  async saveDraft() {
    await this.post('userAuth/saveDraft', {
      country: this.country,
      documentType: this.documentType,
      fullName: `Erika Muster ${this.number}`,
      number: `C01X${10_000 + this.number}`,
      birthDate: '1990-05-17',
      expiryDate: '2099-08-31',
    })
  }

  async sendPictures() {
    for (const [at, side] of SIDES[this.documentType].entries()) {
      const form = new FormData()
      form.set('side', side)
      form.set('file', new Blob([page(this.number * 4 + at)], { type: 'image/png' }), 'page.png')
      this.application = await this.call('userAuth/uploadImage', form)
    }
  }

  async submit() {
    const { version } = this.application
    await this.post('userAuth/submit', { version }, { 'Idempotency-Key': randomUUID() })
  }
}

/** Solves a challenge: finds a number that makes its hash begin with enough zero bits. */
function solve({ challenge, difficulty }) {
  for (let n = 0; ; n++) {
    const solution = `${challenge}.${n}`
    const start = Number.parseInt(hash('sha256', solution).slice(0, 8), 16)
    if (Math.clz32(start) >= difficulty) return solution
  }
}

const STRIPE = 24

/** A page whose stripes are the bits of a number: the product compares pictures, and the same one twice would be a hint. */
function page(number) {
  const isStripe = (x, y) =>
    x > 40 && x < 320 && y % STRIPE < STRIPE / 2 && (number >> (y / STRIPE)) & 1
  return picture(640, 400, (x, y) => (isStripe(x, y) ? 0x48 : 0xb8))
}
