import { useQuery } from '@tanstack/react-query'
import { type AnyReceipt, fillsOf, quotesOf } from '@/features/receipt/model/evidence'
import { type Check, verifyReceipt } from '@/features/receipt/model/verify'
import { type Chain, fetchHeads } from './head-page'

/** Checks a receipt from a file like the receipt sheet, and compares its heads with the published ones. */
export function useFileVerdict(receipt: AnyReceipt | null) {
  return useQuery({
    queryKey: ['proof', 'file', receipt],
    queryFn: async () =>
      receipt ? [...(await verifyReceipt(receipt)), await publishedCheck(receipt)] : [],
    enabled: receipt !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
}

/** Fetches the published heads of the same batches; without an answer the result is unknown. */
async function publishedCheck(receipt: AnyReceipt): Promise<Check> {
  const named: [Chain, { batch: number; hash: string } | undefined][] = [
    ...('charge' in receipt ? [receipt.charge] : []).map(({ head }): [Chain, typeof head] => [
      'charges',
      head,
    ]),
    ...fillsOf(receipt).map(({ head }): [Chain, typeof head] => ['fills', head]),
    ...quotesOf(receipt).map(({ head }): [Chain, typeof head] => ['tape', head]),
  ]
  const heads = new Map(named.map(([chain, head]) => [`${chain} ${head?.batch}`, { chain, head }]))
  try {
    const fits = await Promise.all(
      [...heads.values()].map(async ({ chain, head }) => {
        if (!head) return false
        const { list, publicKey } = await fetchHeads(chain, 1, head.batch + 1)
        return list[0]?.hash === head.hash && publicKey === receipt.publicKey
      }),
    )
    return { name: 'published', outcome: fits.every(Boolean) ? 'passed' : 'failed' }
  } catch {
    return { name: 'published', outcome: 'unknown' }
  }
}
