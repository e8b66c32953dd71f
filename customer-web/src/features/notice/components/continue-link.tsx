import { useTranslation } from 'react-i18next'
import { Icon } from '@/ui/icons/icon'
import { targetOf } from '../model/target'
import styles from './notice.module.css'
import { TargetLink } from './target-link'

export type ContinueLinkProps = {
  /** The item whose link it is. */
  id: number
  link: string
  hasPath: (path: string) => boolean
  /** The word on it, where there is a better one. */
  text?: string | undefined
}

/** The way on from an article; nothing where it has none. */
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
