import { useMutation } from '@tanstack/react-query'
import { failureText, toFailure } from '@/ui/form/problems'
import { toast } from '@/ui/toast/toast-store'
import { tryDemo } from '../api/try-demo'
import { useEnterSession } from './enter-session'
import { SolveCancelled } from './solutions'
import { useSolutions } from './use-solutions'

/** Starts a guest session with a demo account; a refusal shows a toast. */
export function useTryDemo(onDone: () => void) {
  const enter = useEnterSession()
  const solutions = useSolutions()
  return useMutation({
    mutationFn: () => solutions.sendIfAsked(tryDemo),
    onSuccess: (session) => {
      enter(session)
      onDone()
    },
    onError: (error) => {
      if (!(error instanceof SolveCancelled)) toast.error(failureText(toFailure(error)) ?? '')
    },
  })
}
