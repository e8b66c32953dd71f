// Runs before the first paint: sets theme, price colours, language and reading direction from what
// the browser has stored, so that nothing flashes. The app sets the same attributes again once it
// runs (src/theme/apply-theme.ts, src/i18n/i18n.ts); src/theme/boot.test.ts keeps the two equal.
;(() => {
  var root = document.documentElement
  var tags = {
    en: 'en-US',
    zh_CN: 'zh-Hans-CN',
    zh_tw: 'zh-Hant-TW',
    ko: 'ko',
    ja: 'ja',
    de: 'de',
    ru: 'ru',
    th: 'th',
    ar: 'ar',
    pt: 'pt-BR',
    fr: 'fr',
    es: 'es',
    tr: 'tr',
    hi: 'hi',
    kk: 'kk',
    ms: 'ms',
    id: 'id',
    ur: 'ur',
    vn: 'vi',
    mn: 'mn',
    uz: 'uz',
    cs: 'cs',
    nl: 'nl',
    it: 'it',
    pl: 'pl',
    ka: 'ka',
  }
  var usual = { zh_CN: 'red-up', zh_tw: 'red-up', ja: 'red-up', ko: 'red-up-blue-down' }

  function stored(key) {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  }

  function preferences() {
    try {
      return JSON.parse(stored('preferences')) || {}
    } catch {
      return {}
    }
  }

  var fromAddress = /[?&]lang=([A-Za-z_]+)(?:[&#]|$)/.exec(location.href)
  var wanted = fromAddress?.[1] || stored('locale')
  var language = Object.hasOwn(tags, wanted) ? wanted : 'en'
  root.lang = tags[language]
  root.dir = language === 'ar' || language === 'ur' ? 'rtl' : 'ltr'

  var mode = stored('themeMode')
  var light =
    mode === 'light' || (mode !== 'dark' && matchMedia('(prefers-color-scheme: light)').matches)
  root.setAttribute('data-theme', light ? 'light' : 'dark')
  document.querySelector('meta[name="theme-color"]').content = light ? '#FFFFFF' : '#0B0E11'

  var wishes = preferences()
  var known = ['green-up', 'red-up', 'red-up-blue-down', 'blue-orange']
  var direction =
    known.indexOf(wishes.direction) < 0 ? usual[language] || 'green-up' : wishes.direction
  root.setAttribute('data-direction', direction)
  if (wishes.reduceMotion === true) root.setAttribute('data-motion', 'reduce')
})()
