import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { minLength, object, string } from 'zod/mini'
import { CallFailure, type Wire } from '@/api/client'
import type { LoginFactors } from '@/features/account/model/use-login'
import { useSolutions } from '@/features/account/model/use-solutions'
import { showRefusal } from '@/ui/form/show-refusal'
import { useSchemaForm } from '@/ui/form/use-schema-form'
import { createWalletLogin, type SignedText, walletLogin } from '../api/wallet-login'
import { type Provider, WalletFailure } from './provider'
import { useWalletSignature } from './use-wallet-signature'

const factorSchema = object({ factorCode: string().check(minLength(6, 'field.code')) })

/** The log-in with a wallet: the signature, then the second factor, or the question whether to open an account. */
export function useWalletLogin(onDone: (session: Wire['Session']) => void) {
  const { step, signWith } = useWalletSignature()
  const solutions = useSolutions({ ahead: true })
  const factor = useSchemaForm(factorSchema, { factorCode: '' })
  const [signed, setSigned] = useState<SignedText | null>(null)
  const [factors, setFactors] = useState<LoginFactors | null>(null)
  const [unknown, setUnknown] = useState(false)

  const enter = useMutation({
    mutationFn: ({ text, code }: { text: SignedText; code?: string }) => walletLogin(text, code),
    onSuccess: onDone,
    onError: (error) => {
      const { code, args } = error instanceof CallFailure ? error : {}
      if (code === 'wallet.not_linked') setUnknown(true)
      if (code === 'login.factor_required')
        setFactors({
          authenticator: args?.authenticator === 'true',
          passkeys: args?.passkeys === 'true',
        })
      if (code === 'factor.code_wrong') {
        factor.setValue('factorCode', '')
        showRefusal(factor, error, { 'factor.code_wrong': 'factorCode' })
      }
    },
  })
  const askToSign = (provider: Provider) =>
    signWith(provider, (account) =>
      solutions.send((solution) => createWalletLogin(account, solution)),
    )
  const choose = useMutation({
    mutationFn: askToSign,
    onMutate: () => enter.reset(),
    onSuccess: (text) => {
      setSigned(text)
      enter.mutate({ text })
    },
  })
  const handled = ['wallet.not_linked', 'login.factor_required', 'factor.code_wrong']
  const failed = choose.error ?? enter.error
  const problem =
    failed instanceof CallFailure && handled.includes(failed.code ?? '') ? null : failed

  return {
    step,
    busy: choose.isPending || enter.isPending,
    problem,
    choose: choose.mutate,
    /** The text that the wallet signed, once no account is linked to it. */
    unlinked: unknown ? signed : null,
    /** Has the wallet sign another text: each one is used once. */
    signAgain: () =>
      choose.variables ? askToSign(choose.variables) : Promise.reject(new WalletFailure('failed')),
    factorForm: {
      factors,
      factor,
      submitting: enter.isPending,
    },
    submitFactor: factor.handleSubmit(({ factorCode }) => {
      if (signed) enter.mutate({ text: signed, code: factorCode })
    }),
    startOver: () => {
      setSigned(null)
      setFactors(null)
      setUnknown(false)
      factor.reset()
      choose.reset()
      enter.reset()
    },
  }
}
