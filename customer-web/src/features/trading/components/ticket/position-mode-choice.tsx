import { useTranslation } from 'react-i18next'
import { reasonOf } from '@/api/reason'
import { useNetting } from '@/session/info-query'
import { ChoiceGroup } from '@/ui/choice-group'
import { Note } from '@/ui/note'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { toast } from '@/ui/toast/toast-store'
import { useUpdatePositionMode } from '../../api/position-mode'
import styles from './position-mode-choice.module.css'

const modes = ['hedging', 'netting'] as const

/** The account's position mode: hedging or netting. */
export function PositionModeChoice() {
  const { t } = useTranslation()
  const netting = useNetting()
  const { mutate, variables, isPending, error } = useUpdatePositionMode()
  if (netting === undefined) {
    return (
      <section className={styles.mode}>
        <SkeletonRows rows={1} rowHeight={120} />
      </section>
    )
  }
  const chosen = isPending && variables ? variables.netting : netting
  const choose = (mode: (typeof modes)[number]) =>
    mutate(
      { netting: mode === 'netting' },
      {
        onSuccess: () =>
          toast.success(t('account_mode.changed', { mode: t(`account_mode.${mode}`) })),
      },
    )
  return (
    <section className={styles.mode} aria-busy={isPending}>
      <ChoiceGroup
        label={t('account_mode.title')}
        hint={t('account_mode.hint')}
        value={chosen ? 'netting' : 'hedging'}
        onChange={choose}
        options={modes.map((mode) => ({
          value: mode,
          label: t(`account_mode.${mode}`),
          explanation: t(`account_mode.${mode}.about`),
        }))}
      />
      {error && !isPending && <Note tone="error">{reasonOf(error).reason}</Note>}
    </section>
  )
}
