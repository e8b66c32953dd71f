import { useTranslation } from 'react-i18next'
import { Icon } from '@/ui/icons/icon'
import { targetOf } from '../model/target'
import styles from './notice.module.css'
import { TargetLink } from './target-link'

export type ContinueLinkProps = {
  /** The id of the linked item. */
  id: number
  link: string
  hasPath: (path: string) => boolean
  /** Replaces the default label. */
  text?: string | undefined
}

/** The "continue" link of an article; renders nothing without a link. */
export function ContinueLink({ id, link, hasPath, text }: ContinueLinkProps) {
  const { t } = useTranslation()
  const target = targetOf(link, hasPath)
  if (!target) return null
  return (
    <TargetLink id={id} target={target} className={styles.out}>
      {text ?? t('to' in target ? 'notice.open' : 'notice.open_outside')}
      <Icon name={'to' in target ? 'forward' : 'share'} />
    </TargetLink>
  )
}
