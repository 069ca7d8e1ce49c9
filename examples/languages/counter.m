// Objective-C: methods of a class and of an object.
//
/*# flags -O0 */
/*# arc main -> _c_Counter__from_ 1 */
/*# arc main -> _i_Counter__add_ 12 */
/*# calls _i_Counter__count 1 */
#include <objc/Object.h>
#include <objc/runtime.h>

@interface Counter : Object
{
    int count;
}
+ (id)from:(int)start;
- (void)add:(int)number;
- (int)count;
@end

@implementation Counter
+ (id)from:(int)start
{
    Counter *counter = class_createInstance(self, 0);
    counter->count = start;
    return counter;
}
- (void)add:(int)number
{
    count += number;
}
- (int)count
{
    return count;
}
@end

int main(void)
{
    Counter *counter = [Counter from:3];
    int i;
    for (i = 0; i < 12; i++)
        [counter add:i];
    return [counter count] == 69 ? 0 : 1;
}
