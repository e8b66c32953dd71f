import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Wire } from '@/api/client'
import { marketStatusQuery } from '../api/market-status'

export type StatusById = ReadonlyMap<number, Wire['ProductStatus']>

const productsOf = ({ products }: Wire['MarketStatus']) => products

/** The trading status by product id; empty until known. */
export function useStatuses(): StatusById {
  const { data } = useQuery({ ...marketStatusQuery, select: productsOf })
  return useMemo(() => new Map(data?.map((status) => [status.productId, status])), [data])
}
