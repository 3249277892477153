// Files of an archive that an entry of its outbox names.

/**
 * { url, name } for each attachment of an entry: `url` as the entry has it, `name` of the file in the archive, or null.
 *
 * Mastodon writes paths. Where its files are in an object store the path may begin with the name of a bucket, and other
 * software writes addresses: what begins with the folder of the files is looked for too.
 */
export function mediaIn(item, names) {
  const object = item?.type === 'Create' ? item.object : item
  const attachments = [object?.attachment ?? []].flat().slice(0, 16)
  return attachments.flatMap((attachment) => {
    const url = addressOf(attachment)
    return url === null ? [] : [{ url, name: nameOf(url, names) }]
  })
}

/** { url, name } of a picture of the profile; both null where the archive has none. */
export function pictureIn(picture, names) {
  const url = addressOf([picture].flat()[0])
  return { url, name: url === null ? null : nameOf(url, names) }
}

function addressOf(attachment) {
  const url = [attachment?.url].flat()[0]
  const address = typeof url === 'object' ? url?.href : url
  return typeof address === 'string' && address !== '' && address.length <= 2_048 ? address : null
}

function nameOf(url, names) {
  const path = pathOf(url)
  const folder = path.indexOf('media_attachments/')
  const candidates = [path, ...(folder === -1 ? [] : [path.slice(folder)])]
  return candidates.find((name) => names.has(name)) ?? null
}

function pathOf(url) {
  const path = URL.canParse(url) ? new URL(url).pathname : (url.split(/[?#]/)[0] ?? '')
  const plain = path.replace(/^\/+/, '').replace(/^system\//, '')
  try {
    return decodeURIComponent(plain)
  } catch {
    return plain
  }
}
