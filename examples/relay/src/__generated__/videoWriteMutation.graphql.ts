/**
 * @generated SignedSource<<1077ef7f7c92224ae18d712754f8ac15>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ConcreteRequest } from 'relay-runtime';
import { FragmentRefs } from "relay-runtime";
export type InsertCommentThreadInput = {
  channelId?: string | null | undefined;
  textOriginal: string;
  videoId?: string | null | undefined;
};
export type videoWriteMutation$variables = {
  input: InsertCommentThreadInput;
  lists: ReadonlyArray<string>;
};
export type videoWriteMutation$data = {
  readonly insertCommentThread: {
    readonly commentThreadEdge: {
      readonly node: {
        readonly id: string;
        readonly " $fragmentSpreads": FragmentRefs<"video_thread">;
      };
    };
  } | null | undefined;
};
export type videoWriteMutation = {
  response: videoWriteMutation$data;
  variables: videoWriteMutation$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "input"
  },
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "lists"
  }
],
v1 = [
  {
    "kind": "Variable",
    "name": "input",
    "variableName": "input"
  }
],
v2 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "id",
  "storageKey": null
};
return {
  "fragment": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Fragment",
    "metadata": null,
    "name": "videoWriteMutation",
    "selections": [
      {
        "alias": null,
        "args": (v1/*:: as any*/),
        "concreteType": "InsertCommentThreadPayload",
        "kind": "LinkedField",
        "name": "insertCommentThread",
        "plural": false,
        "selections": [
          {
            "alias": null,
            "args": null,
            "concreteType": "CommentThreadEdge",
            "kind": "LinkedField",
            "name": "commentThreadEdge",
            "plural": false,
            "selections": [
              {
                "alias": null,
                "args": null,
                "concreteType": "CommentThread",
                "kind": "LinkedField",
                "name": "node",
                "plural": false,
                "selections": [
                  (v2/*:: as any*/),
                  {
                    "args": null,
                    "kind": "FragmentSpread",
                    "name": "video_thread"
                  }
                ],
                "storageKey": null
              }
            ],
            "storageKey": null
          }
        ],
        "storageKey": null
      }
    ],
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "videoWriteMutation",
    "selections": [
      {
        "alias": null,
        "args": (v1/*:: as any*/),
        "concreteType": "InsertCommentThreadPayload",
        "kind": "LinkedField",
        "name": "insertCommentThread",
        "plural": false,
        "selections": [
          {
            "alias": null,
            "args": null,
            "concreteType": "CommentThreadEdge",
            "kind": "LinkedField",
            "name": "commentThreadEdge",
            "plural": false,
            "selections": [
              {
                "alias": null,
                "args": null,
                "concreteType": "CommentThread",
                "kind": "LinkedField",
                "name": "node",
                "plural": false,
                "selections": [
                  (v2/*:: as any*/),
                  {
                    "alias": null,
                    "args": null,
                    "kind": "ScalarField",
                    "name": "totalReplyCount",
                    "storageKey": null
                  },
                  {
                    "alias": null,
                    "args": null,
                    "concreteType": "Comment",
                    "kind": "LinkedField",
                    "name": "topLevelComment",
                    "plural": false,
                    "selections": [
                      {
                        "alias": null,
                        "args": null,
                        "kind": "ScalarField",
                        "name": "authorDisplayName",
                        "storageKey": null
                      },
                      {
                        "alias": null,
                        "args": null,
                        "kind": "ScalarField",
                        "name": "textOriginal",
                        "storageKey": null
                      },
                      (v2/*:: as any*/)
                    ],
                    "storageKey": null
                  }
                ],
                "storageKey": null
              }
            ],
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "filters": null,
            "handle": "prependEdge",
            "key": "",
            "kind": "LinkedHandle",
            "name": "commentThreadEdge",
            "handleArgs": [
              {
                "kind": "Variable",
                "name": "connections",
                "variableName": "lists"
              }
            ]
          }
        ],
        "storageKey": null
      }
    ]
  },
  "params": {
    "cacheID": "23b44cb0d4d04db638cacc2ef8fe23c4",
    "id": null,
    "metadata": {},
    "name": "videoWriteMutation",
    "operationKind": "mutation",
    "text": "mutation videoWriteMutation(\n  $input: InsertCommentThreadInput!\n) {\n  insertCommentThread(input: $input) {\n    commentThreadEdge {\n      node {\n        id\n        ...video_thread\n      }\n    }\n  }\n}\n\nfragment video_thread on CommentThread {\n  totalReplyCount\n  topLevelComment {\n    authorDisplayName\n    textOriginal\n    id\n  }\n}\n"
  }
};
})();

(node as any).hash = "2f086abaa1ddf276d2db88ef14b3227c";

export default node;
