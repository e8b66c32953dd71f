import { useTranslation } from 'react-i18next'
import { formatFixed } from '@/format/amount'
import { toScaled } from '@/format/arithmetic'
import { Num } from '@/ui/num'
import { ChargesButton, type ChargesButtonProps } from './charges-button'

export type ChargesTextProps = Pick<ChargesButtonProps, 'position' | 'product'>

/** A position's total charges; if there are any, pressing it lists them. */
export function ChargesText({ position, product }: ChargesTextProps) {
  const { t } = useTranslation()
  return (
    <ChargesButton position={position} product={product}>
      <Num>{formatFixed(position.swap, 2)}</Num>
      {!!toScaled(position.dividends, 6) && (
        <>
          {' · '}
          {t('position.dividends')} <Num>{formatFixed(position.dividends, 2)}</Num>
        </>
      )}
    </ChargesButton>
  )
}
