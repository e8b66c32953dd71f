export const WALLET_PATH = '/mywallet'

/** The wallet with the transfer sheet open, from funding to contract account. */
export const transferToTradePath = `${WALLET_PATH}?transfer=trade`
