import { useSyncExternalStore } from 'react';

function onChange(tell: () => void): () => void {
  window.addEventListener('online', tell);
  window.addEventListener('offline', tell);
  return () => {
    window.removeEventListener('online', tell);
    window.removeEventListener('offline', tell);
  };
}

const isOnline = () => navigator.onLine;
const isOnlineOnServer = () => true;

/** Whether the browser has a connection. */
export const useOnline = () => useSyncExternalStore(onChange, isOnline, isOnlineOnServer);
