// The margin that a typed leverage needs, beside its field: 1:200 is 0.5%.

function marginOf(leverage: string): string {
  const times = Number(leverage.replaceAll(/[\s,]/g, ''))
  if (!Number.isInteger(times) || times < 1) return ''
  return `${Math.round(100_000 / times) / 1000}%`
}

export function startMargins(): void {
  document.addEventListener('input', ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return
    const row = target.closest('[data-leverage]')
    const fields = row?.querySelectorAll('input') ?? []
    const margin = row?.querySelector('[data-margin]')
    // A row may begin with the volume from which its leverage applies.
    if (margin) margin.textContent = marginOf(fields[fields.length - 1]?.value ?? '')
  })
}
