import type { TextLinks } from '../../../src/contract/text/render'

/** Resolves every name except `nobody`. */
export const links: TextLinks = {
  mention({ username, domain }) {
    if (username === 'nobody') return null
    const acct = domain === null ? username : `${username}@${domain}`
    return { url: `https://${domain ?? 'here.test'}/@${username}`, username, acct }
  },
  tagUrl: (name) => `https://here.test/tags/${encodeURIComponent(name)}`,
}

export function mentionHtml(username: string, host = 'here.test', shown = username): string {
  return `<span class="h-card" translate="no"><a href="https://${host}/@${username}" class="u-url mention">@<span>${shown}</span></a></span>`
}

export function hashtagHtml(name: string, display = name): string {
  return `<a href="https://here.test/tags/${encodeURIComponent(name)}" class="mention hashtag" rel="tag">#<span>${display}</span></a>`
}

export function urlHtml(shown: string, rel = 'nofollow noopener noreferrer'): string {
  return `<a href="https://${shown}" target="_blank" rel="${rel}" translate="no"><span class="invisible">https://</span><span class="">${shown}</span><span class="invisible"></span></a>`
}
