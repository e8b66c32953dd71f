import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { chains } from '@/features/proof/api/head-page'
import { CommandSection } from '@/features/proof/components/command-section'
import { FileSection } from '@/features/proof/components/file-section'
import { HeadsSection } from '@/features/proof/components/heads-section'
import styles from '@/features/proof/components/proof.module.css'
import { StepsSection } from '@/features/proof/components/steps-section'
import { Page } from '../parts/page'

/** Prices and proof: how both are proved, the published heads, and the receipt file check. The address may name the chain shown first. Open to everyone. */
export default function Proof() {
  const { t } = useTranslation()
  const [search] = useSearchParams()
  const named = chains.find((chain) => chain === search.get('chain'))
  return (
    <Page title={t('proof.title')}>
      <div className={styles.flow}>
        <p className={styles.intro}>{t('proof.intro')}</p>
        <StepsSection />
        <HeadsSection first={named ?? 'tape'} />
        <FileSection />
        <CommandSection />
      </div>
    </Page>
  )
}
