/** Takes away the error of a field as soon as the field is typed in: it was about what stood there before. */
function forget(event: Event) {
  const input = event.target
  if (!(input instanceof HTMLElement) || input.getAttribute('aria-invalid') !== 'true') return
  const field = input.closest('.field')
  const error = field?.querySelector('.field-error')
  if (!field || !error) return
  const rest = (input.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .filter((id) => id !== error.id)
  if (rest.length > 0) input.setAttribute('aria-describedby', rest.join(' '))
  else input.removeAttribute('aria-describedby')
  input.removeAttribute('aria-invalid')
  for (const bad of field.querySelectorAll('.is-bad')) bad.classList.remove('is-bad')
  error.remove()
}

export function startFields() {
  document.addEventListener('input', forget)
}
