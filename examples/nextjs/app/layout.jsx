import Script from 'next/script'

export const metadata = { title: 'Shop' }

/** The script counts pageviews, also of routes that change without a load. */
export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>
        {children}
        <Script
          src={`${process.env.NEXT_PUBLIC_FOOTFALL}/js/footfall.js`}
          data-domain={process.env.NEXT_PUBLIC_DOMAIN}
          strategy="afterInteractive"
        />
      </body>
    </html>
  )
}
