export const WALLET_PATH = '/mywallet'

/** The wallet with its transfer open, from what is kept to the account to trade with. */
export const transferToTradePath = `${WALLET_PATH}?transfer=trade`
