import { createContext, useContext } from 'hono/jsx'

/** Properties that the posts of a page share. */
export interface PostsContext {
  readonly now: Date
  /** Path that their buttons lead back to. */
  readonly returnTo: string
  /** The server has a translation service. */
  readonly translates: boolean
}

const Posts = createContext<PostsContext>({ now: new Date(0), returnTo: '/', translates: false })

/** Around the posts of a page. */
export const PostsProvider = Posts.Provider

export function usePosts(): PostsContext {
  return useContext(Posts)
}
