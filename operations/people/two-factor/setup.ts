/** A secret in the forms that an app accepts: as text, as a link, or as a picture. */

export interface Setup {
  readonly secret: string
  readonly uri: string
  /** SVG. */
  readonly qr: string
}

/** @param secret base32 @param email name of the account in the app */
export async function setupOf(secret: string, email: string): Promise<Setup> {
  const { totpOf } = await import('./totp-codes.ts')
  const uri = totpOf(secret, email).toString()
  const { default: qrCode } = await import('qrcode')
  return { secret, uri, qr: await qrCode.toString(uri, { type: 'svg', margin: 2 }) }
}
