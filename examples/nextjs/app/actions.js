'use server'
import { headers } from 'next/headers'
import { createFootfall } from 'footfall/server'

const footfall = createFootfall({ url: process.env.FOOTFALL, site: process.env.SITE, token: process.env.TOKEN })

/** An event of the server: it counts even if the visitor blocks scripts. */
export async function signUp() {
  const sent = await headers()
  footfall.track('Signup', {
    url: sent.get('referer') ?? undefined,
    ip: sent.get('x-forwarded-for')?.split(',').at(-1)?.trim(),
    userAgent: sent.get('user-agent') ?? undefined,
    props: { plan: 'free' },
  })
}
