/** Titles of pushed notifications; `#` stands for the account that caused it. */
const english = {
  mention: '# mentioned you',
  status: '# posted something new',
  reblog: '# boosted your post',
  follow: '# follows you now',
  follow_request: '# asks to follow you',
  favourite: '# likes your post',
  poll: 'A poll by # has ended',
  update: '# edited a post',
  quote: '# quoted your post',
  quoted_update: '# edited a post you quoted',
  'admin.sign_up': '# has signed up',
  'admin.report': '# has reported something',
  other: 'There is a new notification',
}

type Titles = Readonly<Record<keyof typeof english, string>>

const german: Titles = {
  mention: '# hat dich erwähnt',
  status: '# hat etwas Neues veröffentlicht',
  reblog: '# hat deinen Beitrag geteilt',
  follow: '# folgt dir jetzt',
  follow_request: '# möchte dir folgen',
  favourite: '# gefällt dein Beitrag',
  poll: 'Eine Umfrage von # ist beendet',
  update: '# hat einen Beitrag bearbeitet',
  quote: '# hat deinen Beitrag zitiert',
  quoted_update: '# hat einen Beitrag bearbeitet, den du zitiert hast',
  'admin.sign_up': '# hat sich registriert',
  'admin.report': '# hat etwas gemeldet',
  other: 'Es gibt eine neue Benachrichtigung',
}

const spanish: Titles = {
  mention: '# te ha mencionado',
  status: '# ha publicado algo nuevo',
  reblog: '# ha impulsado tu publicación',
  follow: '# ahora te sigue',
  follow_request: '# quiere seguirte',
  favourite: 'A # le gusta tu publicación',
  poll: 'Ha terminado una encuesta de #',
  update: '# ha editado una publicación',
  quote: '# ha citado tu publicación',
  quoted_update: '# ha editado una publicación que citaste',
  'admin.sign_up': '# se ha registrado',
  'admin.report': '# ha enviado un informe',
  other: 'Hay una nueva notificación',
}

const french: Titles = {
  mention: '# vous a mentionné',
  status: '# a publié quelque chose',
  reblog: '# a partagé votre message',
  follow: '# vous suit maintenant',
  follow_request: '# souhaite vous suivre',
  favourite: '# aime votre message',
  poll: 'Un sondage de # est terminé',
  update: '# a modifié un message',
  quote: '# a cité votre message',
  quoted_update: '# a modifié un message que vous avez cité',
  'admin.sign_up': '# vient de s’inscrire',
  'admin.report': '# a envoyé un signalement',
  other: 'Il y a une nouvelle notification',
}

const languages = new Map<string, Titles>([
  ['de', german],
  ['es', spanish],
  ['fr', french],
])

/** Title in the language of `locale` if translated, else in English. */
export function pushTitle(locale: string, type: string, name: string): string {
  const titles = languages.get(locale.split(/[-_]/)[0]?.toLowerCase() ?? '') ?? english
  const title = Object.entries(titles).find(([kind]) => kind === type)?.[1] ?? titles.other
  // `split`, because names may contain replacement patterns such as `$&`.
  return title.split('#').join(name)
}
