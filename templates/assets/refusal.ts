// A refusal of the server goes where errors stand, never in place of the answer that was asked for:
// the row stays, and so does what was typed.
import { errorPlace } from './once'

interface SwapDetail {
  xhr: XMLHttpRequest
  target: Element
  shouldSwap: boolean
  isError: boolean
  swapOverride?: string
  requestConfig: { elt: Element }
}

export function startRefusals(): void {
  document.addEventListener('htmx:beforeSwap', (event) => {
    if (!(event instanceof CustomEvent)) return
    const detail = event.detail as SwapDetail
    if (detail.xhr.getResponseHeader('Desk-Refusal') !== 'true') return
    const place = errorPlace(detail.requestConfig.elt)
    if (!place) return
    detail.target = place
    detail.swapOverride = 'innerHTML'
    detail.shouldSwap = true
    detail.isError = false
  })
}
