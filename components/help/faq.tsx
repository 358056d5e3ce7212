import { ChevronDown } from 'lucide-react';
import { PRODUCT } from '@/components/brand/product';

const QUESTIONS = [
  {
    question: 'Why do I get no notifications?',
    answer:
      'Check three things: the rule is enabled, the bot has Send Messages and Embed Links in the channel, and the database is shared with the bot in Notion. The rule itself shows what became of its last delivery.',
  },
  {
    question: 'Why is my database missing from the list?',
    answer: `The database must be shared with the bot in Notion: open it, choose Connections in its menu, and add ${PRODUCT}. It appears here within seconds.`,
  },
  {
    question: 'What is the difference between Task DBs and Page DBs?',
    answer:
      'Task DBs have a Status property. Their cards allow "Assign to me" and status changes right in Discord. Page DBs have none: their cards say what happened, link to the page, and have the buttons that you choose for their rule.',
  },
  {
    question: 'Who can use the commands?',
    answer:
      'All members of the Discord server can use the commands: search shared pages by title, create tasks, and change a status. Some answers, such as your own tasks, need a linked Notion account.',
  },
  {
    question: 'What happens when I unlink my account?',
    answer:
      'You lose @mentions, "Assign to me" and personalized assignments. The workspace stays connected and the rules keep working.',
  },
];

export function Faq() {
  return (
    <div className="divide-y border-t">
      {QUESTIONS.map(({ question, answer }) => (
        <details key={question} className="group px-5">
          <summary className="flex list-none items-center justify-between gap-4 py-3.5 font-medium [&::-webkit-details-marker]:hidden">
            {question}
            <ChevronDown
              className="size-4 shrink-0 text-muted transition-transform duration-150 group-open:rotate-180"
              aria-hidden
            />
          </summary>
          <p className="max-w-prose text-pretty pb-4 text-muted">{answer}</p>
        </details>
      ))}
    </div>
  );
}
