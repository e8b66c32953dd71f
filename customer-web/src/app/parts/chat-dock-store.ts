import { create } from 'zustand'

/** Whether the chat is open beside the page, on a desktop. */
export const useChatDock = create<{ open: boolean }>(() => ({ open: false }))

export const toggleChatDock = () => useChatDock.setState(({ open }) => ({ open: !open }))
export const closeChatDock = () => useChatDock.setState({ open: false })
