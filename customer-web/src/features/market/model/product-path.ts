/** The path of a product's page. */
export const productPath = (productId: number) => `/product?product=${productId}`
