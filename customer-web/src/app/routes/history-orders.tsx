import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useProducts } from '@/features/market/api/products'
import { useDesktop } from '@/theme/use-media'
import { TabGroup } from '@/ui/tab-group'
import { Page } from '../shell/page'
import { HistoryEnded } from './history-ended'
import styles from './history-orders.module.css'
import { HistoryPositions } from './history-positions'
import { WideFrame } from './wide-frame'

const PANEL_ID = 'history-panel'

/** What is over: positions that were closed, and orders that ended without a fill. */
export default function HistoryOrders() {
  const { t } = useTranslation()
  const desktop = useDesktop()
  const [params, setParams] = useSearchParams()
  const { data: products = [] } = useProducts()
  const ended = params.get('tab') === 'orders'
  const product = params.get('product')

  const choose = (tab: number) =>
    setParams(
      { ...(tab === 1 ? { tab: 'orders' } : {}), ...(product ? { product } : {}) },
      {
        replace: true,
      },
    )

  const content = (
    <>
      <TabGroup
        type="line"
        label={t('history.title')}
        panelId={PANEL_ID}
        className={styles.tabs}
        active={ended ? 1 : 0}
        onChange={choose}
        list={[{ title: t('history.tab.positions') }, { title: t('history.tab.orders') }]}
      />
      <div
        id={PANEL_ID}
        role="tabpanel"
        aria-label={t(ended ? 'history.tab.orders' : 'history.tab.positions')}
      >
        {ended ? <HistoryEnded products={products} /> : <HistoryPositions products={products} />}
      </div>
    </>
  )
  if (desktop) return <WideFrame title={t('history.title')}>{content}</WideFrame>
  return (
    <Page title={t('history.title')}>
      <div className={styles.phone}>{content}</div>
    </Page>
  )
}
