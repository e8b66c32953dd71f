// Passkeys: a button asks the browser for one in place of a code and sends its form with the answer; a form that creates one asks
// the browser first. Both are told why nothing was sent.
import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'

const USE = '[data-passkey]'
const CREATE = '[data-passkey-new]'

/** Passkeys belong to a domain, so that an IP address has none. */
const SUPPORTED = browserSupportsWebAuthn() && !/^[\d.]+$|:/.test(location.hostname)

const answerOf = (block: HTMLElement) =>
  block.querySelector<HTMLInputElement>('input[name=passkey]')

function tell(block: HTMLElement, words = ''): void {
  const place = block.querySelector('[data-told]')
  if (place) place.textContent = words
}

function why(error: unknown, words: DOMStringMap): string | undefined {
  const name = error instanceof Error ? error.name : ''
  if (name === 'NotAllowedError' || name === 'AbortError') return words.closed
  return (name === 'InvalidStateError' && words.known) || words.failed
}

const isSending = (form: HTMLFormElement) => form.querySelector('[aria-busy=true]') !== null

/** Runs the browser's part with the form's buttons locked, and sends the form with the answer. */
async function send(block: HTMLElement, ask: () => Promise<unknown>): Promise<void> {
  const form = block.closest('form')
  const answer = answerOf(block)
  if (!form || !answer || isSending(form)) return
  tell(block)
  form.setAttribute('inert', '')
  const button = block.querySelector('button')
  const label = button?.querySelector('[data-label]')
  const words = label?.textContent ?? ''
  if (label) label.textContent = block.dataset.busy ?? words
  try {
    answer.value = JSON.stringify(await ask())
  } catch (error) {
    tell(block, why(error, block.dataset))
  }
  form.removeAttribute('inert')
  if (label) label.textContent = words
  if (!answer.value || !form.isConnected) return button?.focus()
  form.requestSubmit()
  // After the form has been read: an answer counts once.
  setTimeout(() => {
    answer.value = ''
  })
}

function use(block: HTMLElement): void {
  const options = JSON.parse(block.dataset.passkey ?? '') as PublicKeyCredentialRequestOptionsJSON
  void send(block, () => startAuthentication({ optionsJSON: options }))
}

function create(block: HTMLElement): void {
  if (!SUPPORTED) {
    tell(block, block.dataset.unsupported)
    return
  }
  const options = JSON.parse(
    block.dataset.passkeyNew ?? '',
  ) as PublicKeyCredentialCreationOptionsJSON
  void send(block, () => startRegistration({ optionsJSON: options }))
}

function reveal(): void {
  if (!SUPPORTED) return
  for (const block of document.querySelectorAll<HTMLElement>(USE)) block.hidden = false
}

export function startPasskeys(): void {
  document.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest('button') : null
    const block = button?.closest<HTMLElement>(USE)
    if (block) use(block)
  })
  document.addEventListener(
    'submit',
    (event) => {
      const form = event.target
      const block = form instanceof HTMLFormElement ? form.querySelector<HTMLElement>(CREATE) : null
      if (!block || answerOf(block)?.value) return
      event.preventDefault()
      event.stopImmediatePropagation()
      create(block)
    },
    true,
  )
  document.addEventListener('htmx:afterSwap', reveal)
  reveal()
  document.querySelector<HTMLElement>(`.bare ${USE}:not([hidden]) button`)?.focus()
}
