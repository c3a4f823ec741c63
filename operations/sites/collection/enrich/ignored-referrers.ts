/**
 * Hosts that send visitors back to a site in the middle of a purchase or a sign-in. They do not count as sources, because the visitor
 * came from the site itself. Subdomains are included, so a company's own pages are listed only by the host of its checkout or sign-in.
 */
const KNOWN: ReadonlySet<string> = new Set(
  `
  paypal.com braintreegateway.com checkout.stripe.com buy.stripe.com billing.stripe.com hooks.stripe.com invoice.stripe.com
  pay.stripe.com connect.stripe.com checkout.link.com login.link.com
  pay.klarna.com payments.klarna.com login.klarna.com app.klarna.com klarnapayments.com sofort.com
  checkoutshopper-live.adyen.com checkoutshopper-live-us.adyen.com checkoutshopper-test.adyen.com live.adyen.com test.adyen.com adyenpayments.com
  pay.mollie.com mollie.com payments.mollie.com checkout.mollie.com
  secure.worldpay.com payments.worldpay.com hpp.worldpay.com pay.checkout.com
  pay.google.com payments.google.com payments.amazon.com payments.amazon.de payments.amazon.co.uk pay.amazon.com apay-us.amazon.com
  payments-eu.amazon.com checkout.square.site checkout.shopify.com pay.shopify.com checkout.razorpay.com api.razorpay.com
  secure.payu.com secure.payu.in secure.snd.payu.com go.przelewy24.pl secure.przelewy24.pl secure.tpay.com
  portal.afterpay.com portal.clearpay.co.uk checkout.affirm.com affirm.com sandbox.affirm.com
  buy.paddle.com checkout.paddle.com sandbox-buy.paddle.com sandbox-checkout.paddle.com checkout.lemonsqueezy.com checkout.gumroad.com
  sagepay.com live.sagepay.com opayo.co.uk secure.2checkout.com secure.authorize.net accept.authorize.net pay.gocardless.com
  hpp.realexpayments.com pay.realexpayments.com hosted.paysafe.com pay.skrill.com secure.payone.de frontend.pay1.de giropay.de paydirekt.de
  ideal.nl pay.ideal.nl betalen.rabobank.nl ideal.ing.nl ideal.abnamro.nl pay.twint.ch secure.postfinance.ch e-payment.postfinance.ch
  checkout.wallee.com app-wallee.com secure.ogone.com secure.ingenico.com payment.saferpay.com saferpay.com
  3dsecure.io acs.sia.eu verifiedbyvisa.com securesuite.net arcot.com secure5.arcot.com acs3.3dsecure.no cardinalcommerce.com
  centinelapi.cardinalcommerce.com geo.cardinalcommerce.com 3ds.redsys.es sis.redsys.es secure.nochex.com securepay.com.au
  mercadopago.com mercadopago.com.ar mercadopago.com.br mercadopago.com.mx pagseguro.uol.com.br qr.alipay.com
  accounts.google.com myaccount.google.com appleid.apple.com idmsa.apple.com login.microsoftonline.com login.microsoft.com login.live.com
  account.live.com account.microsoft.com b2clogin.com sts.windows.net
  auth0.com okta.com oktapreview.com okta-emea.com onelogin.com amazoncognito.com clerk.accounts.dev accounts.dev auth.openai.com
  login.yahoo.com login.salesforce.com login.wordpress.com id.atlassian.com id.twitch.tv passport.yandex.ru id.vk.com
  oauth.vk.com api.twitter.com appcenter.intuit.com accounts.intuit.com signin.aws.amazon.com
  login.gov
`
    .trim()
    .split(/\s+/),
)

export interface IgnoringReferrers {
  /** The site's own domain, and those that it lists. */
  readonly hosts: ReadonlySet<string>
  readonly ignoresKnown: boolean
}

/** Whether a host, in the form of `bareHost`, does not count as a source: it or a parent domain is on a list. */
export function isIgnoredReferrer(host: string, { hosts, ignoresKnown }: IgnoringReferrers): boolean {
  for (let part = host; part.includes('.'); part = part.slice(part.indexOf('.') + 1)) {
    if (hosts.has(part) || (ignoresKnown && KNOWN.has(part))) return true
  }
  return false
}
