/** @param workspace its address. @returns the id of the site */
export async function makeSite(workspace: string, token: string, domain: string): Promise<string> {
  const answer = await fetch(`${workspace}/sites.json`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ domain }),
  })
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`)
  const { data } = (await answer.json()) as { data: { id: string } }
  return data.id
}
