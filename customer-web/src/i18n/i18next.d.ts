import type en from '../../../locales/customer/en.json'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation'
    resources: { translation: typeof en }
    keySeparator: false
    nsSeparator: false
    returnNull: false
  }
}
