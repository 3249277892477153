// A day of 1, 5, 10 and 100 people, as numbers of actions that measure.mjs knows the cost of.
//
// Sources, where there are any:
// - A single-user Mastodon held 662,135 statuses of 62,097 accounts (mastodon/mastodon#26645); a server with 18 accounts
//   grew by 2,800 statuses a day (majorwiki, "Mastodon DB maintenance", April 2026); one of 101 active people ran 9.4
//   million background jobs in its first month (blog.strangeobject.space, January 2023).
// - From these: 400 follows a person, 8 posts and reblogs a day of each, follows of several people overlapping by 30 %
//   (10 people) and 65 % (100); 60 % of what arrives becomes a stored status; no relays.
// - One post of three has two hashtags, one of four pictures; one new author of four is on a server that is new as well.
// Everything else is an assumption of ours, on the high side, and stands here to be corrected.

/** Deliveries that arrive in a day of 1, 10 and 100 people together, of whom each follows 400 accounts. */
const arriving = [3_000, 18_000, 90_000]
const usualFollows = 400

/** Deliveries for so many people who follow so many accounts each; between the known numbers by powers. */
function arrivingFor(people, follows) {
  const place = Math.min(1, Math.floor(Math.log10(people)))
  const [below, above] = [arriving[place], arriving[place + 1]]
  const power = Math.log10(above / below)
  return below * (people / 10 ** place) ** power * (follows / usualFollows)
}

/** Local followers per followed author: follows divided by authors. */
function followersOfAuthor(people) {
  const shareOfNew = people <= 10 ? 0.7 : 0.35
  return people / (1 + (people - 1) * shareOfNew)
}

/** Shares of what arrives. 60 % become statuses: posts, and reblogs of posts known or unknown here. */
const shares = {
  'inbound post': 0.26,
  'inbound post with a link': 0.08,
  'inbound reply': 0.06,
  'inbound reblog of a stored post': 0.06,
  'inbound reblog of an unknown post by a known author': 0.08,
  'inbound reblog of an unknown post by a new author': 0.06,
  'inbound deletion of an unknown account': 0.2,
  'inbound deletion of an unknown post': 0.08,
  'inbound deletion of a stored post': 0.02,
  'inbound edit of a post': 0.04,
  'inbound profile update': 0.04,
  'inbound unknown activity': 0.02,
}

/** Actions of one person and of those who meet them, a day. */
const perPerson = {
  // Five apps and tabs, opened again and again.
  'app opened': 25,
  'home polled': 100,
  'home scrolled': 60,
  'notifications polled': 60,
  'thread read': 50,
  'profile read': 20,
  search: 5,
  // Pictures and avatars that the app has not in its own cache.
  'remote picture shown': 800,
  // Two devices, each connecting again when it wakes.
  'stream connected': 30,
  // To followers on fifty servers.
  'post to 50 servers': 3,
  'post with a picture to 50 servers': 2,
  'reblog to 50 servers': 3,
  favourite: 25,
  bookmark: 2,
  follow: 1,
  'profile edited, to 50 servers': 0.1,
  'inbound favourite': 25,
  'inbound mention': 8,
  'inbound follow': 2,
  'signed in': 0.1,
  // A post of theirs is fetched by servers of those who reblogged it, their profile by every server that met it.
  'actor fetched': 300,
  'post fetched': 500,
  // Pictures of theirs, by servers and visitors.
  'local picture fetched': 200,
  'WebFinger asked': 100,
  'profile page visited': 100,
}

/** Seconds in which the files of an action arrive: a picture of 3 MB from a phone that sends 1 Mbit/s. */
export const secondsOfUploads = {
  'post with a picture to 50 servers': 24,
  'profile edited, to 50 servers': 24,
}

/** Parts of a backup of 400 MB, which the free plan takes once in seven days. */
const partsOfBackup = 1_500
const daysBetweenBackups = 7

/** Actions of the server itself. */
const perServer = {
  'hour of cron': 24,
  'part of a backup': partsOfBackup / daysBetweenBackups,
  'NodeInfo asked': 200,
  'instance asked': 200,
}

/** Share of the day in which a person has a stream open. */
const connectedShare = 4 / 24

/** Parts of what arrives that reach the home feeds of followers. */
const spreading = Object.keys(shares).filter(
  (name) => /post|reply|reblog/.test(name) && !/deletion|edit/.test(name),
)
/** Reblogs that bring a post with them. */
const bringing = spreading.filter((name) => name.includes('unknown post'))

/** Parts of what arrives whose ids are remembered, so that a late copy has no effect. */
const remembered = ['inbound deletion of an unknown post', 'inbound deletion of a stored post']

const minutesOfDay = 24 * 60
/** As src/cloudflare/usage-meter.ts has it, for the one isolate that is busy. */
const minutesBetweenUsages = 2

export const sizes = [1, 5, 10, 100]

/** Followed accounts per server: an assumption, on the high side. */
const accountsPerServer = 3

/** Number of each action in a day of `people`, each of whom follows so many accounts. */
export function actionsOf(people, follows = usualFollows) {
  const deliveries = arrivingFor(people, follows)
  const inbound = Object.entries(shares).map(([name, share]) => [name, share * deliveries])
  const own = Object.entries(perPerson).map(([name, count]) => [name, count * people])
  const sumOf = (names) => names.reduce((sum, name) => sum + shares[name] * deliveries, 0)
  const spread = sumOf(spreading)
  const followers = followersOfAuthor(people)
  return {
    ...Object.fromEntries([...inbound, ...own]),
    ...perServer,
    // The measured post has one follower here, who is not connected.
    'one more local follower of an author': spread * (followers - 1),
    'one connected follower of an author': spread * followers * connectedShare,
    // As many as enter, once a feed has its 400.
    'entry trimmed from a home feed': spread * followers,
    // Each account followed here has news on each day, and so has its server.
    'server counted by day': (people * follows) / followers / accountsPerServer,
    'author counted by day': (people * follows) / followers,
    // Reblogs bring old posts; what is deleted is old as well.
    'status counted by itself': sumOf(bringing) + shares['inbound deletion of a stored post'] * deliveries,
    // As many as are stored, once the budget of bytes is full: test/scale/pruning.test.ts measures each.
    'status pruned': spread + sumOf(bringing),
    // Accounts without local relations: as many as become known.
    'account pruned': shares['inbound reblog of an unknown post by a new author'] * deliveries,
    // Ids of deleted or undone objects are kept for some weeks; each new one replaces an old one.
    'activity forgotten': sumOf(remembered),
    // The quotas of the day, each time the gap between two of them is over and something notable has happened: all times, on the
    // high side.
    'usage stored': minutesOfDay / minutesBetweenUsages,
  }
}
