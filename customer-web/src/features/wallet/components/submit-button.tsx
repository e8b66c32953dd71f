import type { ReactNode } from 'react'
import { Button } from '@/ui/button'

export type SubmitButtonProps = {
  /** The id of the form; the button is outside it. */
  form: string
  busy: boolean
  disabled?: boolean
  children: ReactNode
}

/** The submit button of a sheet's form; it stays visible below the fields. */
export function SubmitButton({ form, busy, disabled = false, children }: SubmitButtonProps) {
  const submit = () => {
    const element = document.getElementById(form)
    if (element instanceof HTMLFormElement) element.requestSubmit()
  }
  return (
    <Button variant="primary" size="large" block busy={busy} disabled={disabled} onClick={submit}>
      {children}
    </Button>
  )
}
