/** Instructions for adding the script to pages, by platform. Proxies serve it from the site's own host. */
import { PROXY_KEY } from './proxy-key.ts'
import { type Message, operationTerm, type Sentence } from '../../../runtime/texts/message.ts'
import { m } from './messages.ts'

export const platforms = [
  'html',
  'gtm',
  'wordpress',
  'nextjs',
  'nuxt',
  'astro',
  'react',
  'vue',
  'shopify',
  'nginx',
  'caddy',
  'apache',
  'cloudflare',
  'vercel',
  'netlify',
] as const
export type PlatformName = (typeof platforms)[number]

interface Place {
  /** Address of the service, for example `https://example.com/stats`. */
  readonly base: string
  /** The base without its path: `https://example.com`. */
  readonly origin: string
  /** Path of the base, often empty: `/stats`. */
  readonly prefix: string
  /** Host of the service, with its port unless it is the default. */
  readonly host: string
  /** Path of the script, without slash. */
  readonly path: string
  readonly domain: string
  /** Key for proxies without fixed addresses. */
  readonly key: string
}

interface SnippetFile {
  readonly name: Sentence
  readonly content: string
}
interface Platform {
  /** Whether pages load the script from their own host. */
  readonly proxied: boolean
  files(place: Place): SnippetFile[]
  readonly notes: readonly Message[]
}

const src = ({ base, path }: Place) => `${base}/${path}.js`
const tag = (address: string) => `<script defer src="${address}"></script>`
/** Browsers send only the origin of a page to another host, unless the image requests its URL. */
const pixel = (address: string) =>
  `<noscript><img src="${address.replace(/\.js$/, '.gif')}" alt="" width="1" height="1" referrerpolicy="no-referrer-when-downgrade"></noscript>`

const verify = operationTerm('tracking_verify')
const noCookies = m.no_cookies()
const navigations = m.navigations()
const rebuild = m.rebuild()
const trustProxy = m.trusted({ verify })
const proxyKey = m.keyed()
const beforeOtherRules = m.before_others()
/** The paths that a proxy forwards, and their targets. The script is public, so it needs no key. */
const forwardedPaths = ({ base, path, key }: Place): ReadonlyArray<readonly [from: string, to: string]> =>
  ['', '.js', '.gif'].map(end => [`/${path}${end}`, `${base}/${path}${end}${end === '.js' ? '' : `?${PROXY_KEY}=${key}`}`])
const ownTag = ({ path }: Place): SnippetFile => ({ name: m.in_head(), content: tag(`/${path}.js`) })

const table: Readonly<Record<PlatformName, Platform>> = {
  html: {
    proxied: false,
    files: place => [
      { name: m.in_head(), content: tag(src(place)) },
      { name: m.after_body(), content: pixel(src(place)) },
    ],
    notes: [m.picture()],
  },
  gtm: {
    proxied: false,
    files: place => [
      {
        name: m.in_tag(),
        content: `<script>\n(function () {\n  var s = document.createElement('script')\n  s.defer = true\n  s.src = '${src(place)}'\n  document.head.appendChild(s)\n})()\n</script>`,
      },
    ],
    notes: [m.gtm_trigger(), m.gtm_verify({ verify }), navigations],
  },
  wordpress: {
    proxied: false,
    files: place => [
      {
        name: m.in_functions(),
        content: `add_action('wp_enqueue_scripts', function () {\n  if (is_user_logged_in()) return;\n  wp_enqueue_script('site-${place.path}', '${src(place)}', [], null, ['strategy' => 'defer', 'in_footer' => false]);\n});`,
      },
    ],
    notes: [m.wordpress_signed_in(), m.wordpress_permalinks(), m.wordpress_before_6_3(), m.wordpress_cache()],
  },
  nextjs: {
    proxied: false,
    files: place => [
      {
        name: 'app/layout.tsx',
        content: `import Script from 'next/script'\n\nexport default function RootLayout({ children }: { children: React.ReactNode }) {\n  return (\n    <html lang="en">\n      <body>\n        {children}\n        <Script src="${src(place)}" strategy="afterInteractive" />\n      </body>\n    </html>\n  )\n}`,
      },
    ],
    notes: [m.nextjs_layout(), navigations, rebuild],
  },
  nuxt: {
    proxied: false,
    files: place => [
      {
        name: 'nuxt.config.ts',
        content: `export default defineNuxtConfig({\n  app: { head: { script: [{ src: '${src(place)}', defer: true }] } },\n})`,
      },
    ],
    notes: [navigations, rebuild],
  },
  astro: {
    proxied: false,
    files: place => [
      { name: m.in_layout({ file: 'src/layouts/Layout.astro' }), content: `<script is:inline defer src="${src(place)}"></script>` },
    ],
    notes: [m.astro_inline(), navigations, rebuild],
  },
  react: {
    proxied: false,
    files: place => [{ name: m.in_layout({ file: 'index.html' }), content: tag(src(place)) }],
    notes: [m.react_vite(), navigations, rebuild],
  },
  vue: {
    proxied: false,
    files: place => [{ name: m.in_layout({ file: 'index.html' }), content: tag(src(place)) }],
    notes: [m.vue_hash({ update: operationTerm('tracking_update') }), navigations, rebuild],
  },
  shopify: {
    proxied: false,
    files: place => [{ name: m.above_head_end({ file: 'layout/theme.liquid' }), content: tag(src(place)) }],
    notes: [m.shopify_code(), m.shopify_checkout()],
  },
  nginx: {
    proxied: true,
    files: place => [
      ownTag(place),
      {
        name: m.in_server_block(),
        content: `location ^~ /${place.path} {\n  proxy_pass ${place.base}/${place.path};\n  proxy_ssl_server_name on;\n  proxy_set_header Host ${place.host};\n  proxy_set_header X-Forwarded-For $remote_addr;\n  proxy_set_header Cookie "";\n}`,
      },
    ],
    notes: [noCookies, trustProxy],
  },
  caddy: {
    proxied: true,
    files: place => [
      ownTag(place),
      {
        name: m.in_site_block({ file: 'Caddyfile' }),
        // `try_files` of the site replaces the current URL before these rules, so they use the original one.
        content: `@counted vars {http.request.orig_uri.path} /${place.path} /${place.path}.js /${place.path}.gif\nhandle @counted {\n  rewrite * ${place.prefix}{http.request.orig_uri}\n  reverse_proxy ${place.origin} {\n    header_up Host ${place.host}\n    header_up -Cookie\n  }\n}`,
      },
    ],
    notes: [noCookies, trustProxy],
  },
  apache: {
    proxied: true,
    files: place => [
      ownTag(place),
      {
        name: m.in_virtual_host(),
        content: `SSLProxyEngine on\n<LocationMatch "^/${place.path}(\\.js|\\.gif)?$">\n  RequestHeader unset Cookie\n</LocationMatch>\nProxyPassMatch "^/(${place.path}(\\.js|\\.gif)?)$" "${place.base}/$1"\nProxyAddHeaders On`,
      },
      {
        name: m.above_rewrites(),
        content: `RewriteRule "^/${place.path}(\\.js|\\.gif)?$" "-" [L]`,
      },
    ],
    notes: [m.apache_modules(), noCookies, trustProxy],
  },
  cloudflare: {
    proxied: true,
    files: place => [
      ownTag(place),
      {
        name: m.in_worker(),
        content: `export default {\n  async fetch(request) {\n    const { pathname, search } = new URL(request.url)\n    const to = new URL('${place.base}' + pathname + search)\n    to.searchParams.set('${PROXY_KEY}', '${place.key}')\n    const headers = new Headers(request.headers)\n    headers.delete('cookie')\n    headers.set('X-Forwarded-For', request.headers.get('CF-Connecting-IP'))\n    return fetch(new Request(to, request), { headers })\n  },\n}`,
      },
      { name: m.in_routes(), content: `*${place.domain}/${place.path}*` },
    ],
    notes: [noCookies, proxyKey],
  },
  vercel: {
    proxied: true,
    files: place => [
      ownTag(place),
      {
        name: 'vercel.json',
        content: JSON.stringify({ rewrites: forwardedPaths(place).map(([source, destination]) => ({ source, destination })) }, null, 2),
      },
    ],
    notes: [beforeOtherRules, proxyKey],
  },
  netlify: {
    proxied: true,
    files: place => [
      ownTag(place),
      {
        name: m.in_published_folder({ file: '_redirects' }),
        content: forwardedPaths(place)
          .map(([from, to]) => `${from}  ${to}  200`)
          .join('\n'),
      },
    ],
    notes: [beforeOtherRules, proxyKey],
  },
}

interface SnippetFor {
  readonly name: PlatformName
  readonly baseUrl: string
  readonly path: string
  readonly domain: string
  readonly key: string
}

/** Returns the files and notes for a platform. @param baseUrl address of this service @param key of the site, for proxies */
export function snippetFor({ name, baseUrl, path, domain, key }: SnippetFor) {
  const { proxied, files, notes } = table[name]
  const { origin, host, pathname } = new URL(baseUrl)
  const from = proxied ? "'self'" : origin
  return {
    for: name,
    files: files({ base: baseUrl, origin, prefix: pathname.replace(/\/$/, ''), host, path, domain, key }),
    csp: `script-src ${from}; connect-src ${from}; img-src ${from}`,
    notes: [...notes],
  }
}
