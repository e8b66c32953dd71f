import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { checkUserExist } from '../api/sign-up'
import { useSolutions } from './use-solutions'

/** Whether a text looks like a whole e-mail address or telephone; the server checks the rest. */
function isWhole(account: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$|^\+\d{7,15}$/.test(account)
}

/**
 * Whether the account as typed exists, once its field was left. Each question costs a challenge and counts on the
 * server, so an account is asked about once; a failure is not shown.
 */
export function useKnownAccount(account: string | undefined) {
  const solutions = useSolutions()
  const [left, setLeft] = useState('')
  const { data } = useQuery({
    queryKey: ['account', 'exists', left],
    queryFn: () => solutions.send((solution) => checkUserExist(left, solution)),
    enabled: left !== '',
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: false,
    refetchOnReconnect: false,
  })
  return {
    known: left === account && data === true,
    ask: () => setLeft(account !== undefined && isWhole(account) ? account : ''),
  }
}
