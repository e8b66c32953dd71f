import type account from '../../../locales/customer/en/account.json'
import type common from '../../../locales/customer/en/common.json'
import type money from '../../../locales/customer/en/money.json'
import type support from '../../../locales/customer/en/support.json'
import type trading from '../../../locales/customer/en/trading.json'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
    // Every key may be asked for without its namespace: i18next looks it up in all that are loaded.
    resources: {
      common: typeof account & typeof common & typeof money & typeof support & typeof trading
    }
    keySeparator: false
    nsSeparator: false
    returnNull: false
  }
}
